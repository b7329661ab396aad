import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import { pathOfHash } from "./routes";
import { LocalizationProvider } from "./strings";
import { Splash } from "./ui/Splash";
import { applyTheme, loadTheme } from "./ui/theme";
import "./ui/fonts.css";
import "./ui/controls.css";
import "./ui/overlays.css";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root element");
applyTheme(document.documentElement, loadTheme(localStorage));
const path = pathOfHash(window.location.hash);
if (path !== null) window.history.replaceState(null, "", path);

createRoot(root).render(
  <StrictMode>
    <LocalizationProvider fallback={<Splash />}>
      <App />
    </LocalizationProvider>
  </StrictMode>,
);
