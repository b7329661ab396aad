import hooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

/** The folders that each folder may import from, besides itself. */
const allowedImports = {
  api: [],
  strings: [],
  ui: ["api", "strings"],
  markdown: ["api", "strings", "ui"],
  drafts: ["api", "strings", "ui"],
  remembering: ["api", "strings", "ui"],
  session: ["api", "strings", "ui"],
  chat: ["api", "strings", "ui", "markdown", "drafts", "remembering"],
  threads: ["api", "strings", "ui"],
  memories: ["api", "strings", "ui", "remembering"],
  memoryPage: ["api", "strings", "ui", "memories"],
  navigation: ["api", "strings", "ui"],
  settings: ["api", "strings", "ui"],
  workspace: [
    "api",
    "strings",
    "ui",
    "drafts",
    "remembering",
    "session",
    "chat",
    "threads",
    "memories",
    "memoryPage",
    "navigation",
    "settings",
  ],
};

const TEXT_MESSAGE = "texts of the page belong in src/strings";

const importRules = Object.entries(allowedImports).map(([folder, allowed]) => ({
  files: [`src/${folder}/**`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: Object.keys(allowedImports)
          .filter((other) => other !== folder && !allowed.includes(other))
          .map((other) => ({
            group: [`**/${other}`, `**/${other}/*`],
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
      "no-restricted-syntax": [
        "error",
        { selector: "JSXText[value=/\\p{L}{2,}/u]", message: TEXT_MESSAGE },
        {
          selector:
            "JSXAttribute[name.name=/^(aria-label|title|placeholder|alt|label)$/] > Literal[value=/\\p{L}/u]",
          message: TEXT_MESSAGE,
        },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  { files: ["src/strings/{en,de}.ts"], rules: { "max-lines": "off" } },
  { files: ["src/**/*.test.ts"], rules: { "max-lines-per-function": "off" } },
  ...importRules,
);
