// The page's folder, for the tests beside this file.

import { register } from "node:module";

/** Imports one of the page's modules. */
export const page = (name) => import(new URL(`../../Sources/JamWeb/Page/${name}.js`, import.meta.url));

const HOOKS = `
let stand = {};
export const initialize = (data) => { stand = data; };
export function resolve(specifier, context, next) {
  const text = stand[specifier];
  if (text === undefined) return next(specifier, context);
  return { url: "data:text/javascript," + encodeURIComponent(text), shortCircuit: true };
}`;

/**
 * Imports one of the page's modules that needs the page. `stand` has the texts of modules that
 * stand for others, by their paths as they are imported, such as `./room.js`.
 */
export function pageWith(name, stand) {
  register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, { data: stand });
  return page(name);
}
