declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  /** See https://swagger.io/docs/open-source-tools/swagger-ui/usage/configuration/ */
  export default function SwaggerUIBundle(options: Readonly<Record<string, unknown>>): void;
}
