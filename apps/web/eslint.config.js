import hooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

/** The folders that each folder may import from, besides itself. */
const allowedImports = {
  api: [],
  ui: ["api"],
  session: ["api", "ui"],
  chat: ["api", "ui"],
  threads: ["api", "ui"],
  memories: ["api", "ui"],
  workspace: ["api", "ui", "session", "chat", "threads", "memories"],
};

const importRules = Object.entries(allowedImports).map(([folder, allowed]) => ({
  files: [`src/${folder}/**`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: Object.keys(allowedImports)
          .filter((other) => other !== folder && !allowed.includes(other))
          .map((other) => ({
            group: [`**/${other}/*`],
            message: `${folder} must not import from ${other}`,
          })),
      },
    ],
  },
}));

export default tseslint.config(
  { ignores: ["dist/", "eslint.config.js", "src/api/schema.d.ts"] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    plugins: { "react-hooks": hooks },
    rules: {
      ...hooks.configs.recommended.rules,
      complexity: ["error", { max: 10, variant: "modified" }],
      eqeqeq: "error",
      "max-lines": ["error", 300],
      "max-lines-per-function": ["error", { max: 90, skipComments: true }],
      "no-console": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  { files: ["src/**/*.test.ts"], rules: { "max-lines-per-function": "off" } },
  ...importRules,
);
