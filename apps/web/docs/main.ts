/** The reference of the HTTP interface, at /docs. */

import SwaggerUIBundle from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";

interface OpenApi {
  components: { securitySchemes: Record<string, { type: string }> };
}

const response = await fetch("/openapi.json");
const spec = (await response.json()) as OpenApi;
// Swagger UI would request the discovery document of the placeholder issuer.
const schemes = Object.entries(spec.components.securitySchemes);
spec.components.securitySchemes = Object.fromEntries(
  schemes.filter(([, scheme]) => scheme.type !== "openIdConnect"),
);
SwaggerUIBundle({
  spec,
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  // The validator's badge would be loaded from another host.
  validatorUrl: null,
});
