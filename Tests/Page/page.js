// The page's folder, for the tests beside this file.

/** Imports one of the page's modules. */
export const page = (name) => import(new URL(`../../Sources/JamWeb/Page/${name}.js`, import.meta.url));
