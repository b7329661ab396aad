import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import { pathOfHash } from "./routes";
import { LocalizationProvider } from "./strings";
import "./ui/fonts.css";
import "./ui/base.css";
import "./ui/controls.css";
import "./ui/overlays.css";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root element");
const path = pathOfHash(window.location.hash);
if (path !== null) window.history.replaceState(null, "", path);

createRoot(root).render(
  <StrictMode>
    <LocalizationProvider>
      <App />
    </LocalizationProvider>
  </StrictMode>,
);
