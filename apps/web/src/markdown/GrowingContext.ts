import { createContext } from "react";

/** True within the last block of an answer that is being written. */
export const GrowingContext = createContext(false);
