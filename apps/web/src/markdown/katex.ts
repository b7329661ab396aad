import "katex/dist/katex.min.css";

export { render, type KatexOptions } from "katex";
