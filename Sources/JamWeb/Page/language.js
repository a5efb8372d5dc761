// @ts-check
// The page's language. English is written in the code and is the key of its own translation, so it
// needs no table; the table of another language is fetched before the page says a word. The tables
// are made from Protocol/words.md by scripts/words.

/// The languages that there are, each by its own name.
/** @type {Record<string, string>} */
export const languages = { en: "English", de: "Deutsch", da: "Dansk", es: "Español", ja: "日本語" };

/// As theme.js chose it before anything was drawn.
export const language = document.documentElement.lang;

/// For dates and times: as this browser writes them in that language.
export const locale = navigator.languages.find((tag) => tag.split("-")[0] === language) ?? language;

/** @type {Record<string, string>} */
const table = language === "en" ? {} : await fetched();

/// A table that does not come leaves the page in English.
async function fetched() {
  try {
    const [{ default: told }, { translate }] = await Promise.all([import(`./language-${language}.js`), import("./translate.js")]);
    translate(document.body, (/** @type {string} */ text) => (Object.hasOwn(told, text) ? told[text] : text));
    return told;
  } catch (problem) {
    console.error(problem);
    return {};
  } finally {
    delete document.documentElement.dataset.words;
  }
}

/// `text` in the page's language. What has no translation stays as it is.
/** @param {string} text */
export const t = (text) => (Object.hasOwn(table, text) ? table[text] : text);

/** @param {TemplateStringsArray} strings */
const keyOf = (strings) => strings.reduce((text, part, index) => `${text}{${index}}${part}`);

/// A text with values in it: w`${name} is on pad ${number}.` is "{1} is on pad {2}." in the tables.
/// Another language may put the values in another order.
/** @param {TemplateStringsArray} strings @param {any[]} values */
export const w = (strings, ...values) => t(keyOf(strings)).replace(/\{(\d+)\}/g, (_, number) => values[number - 1]);

/// The same with elements in it: what `h` takes as children.
/** @param {TemplateStringsArray} strings @param {any[]} elements */
export const pieces = (strings, ...elements) =>
  t(keyOf(strings)).split(/\{(\d+)\}/).map((part, index) => (index % 2 ? elements[Number(part) - 1] : part));

/// Words that stand in the protocol are small letters there: `thirds`. The page shows them as it
/// shows its own: "Thirds".
/** @param {string} word */
export const named = (word) => t(`${word.charAt(0).toUpperCase()}${word.slice(1)}`);
