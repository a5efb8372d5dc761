// @ts-check
// The page's language. English is written in the code and is the key of its own translation, so it
// needs no table; the table of another language is fetched before the page says a word. The tables
// are made from Protocol/words.md by scripts/words.

/// The available languages, each by its own name.
/** @type {Record<string, string>} */
export const languages = { en: "English", de: "Deutsch", da: "Dansk", es: "Español", ja: "日本語" };

/// The page's language, which theme.js chose before anything was drawn.
export const language = document.documentElement.lang;

/// The locale for dates and times: the browser's own variant of the page's language.
export const locale = navigator.languages.find((tag) => tag.split("-")[0] === language) ?? language;

/** @type {Record<string, string>} */
const table = language === "en" ? {} : await fetched();

/// If the table cannot be loaded, the page stays in English.
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

/// `text` in the page's language. A text without a translation stays as it is.
/** @param {string} text */
export const t = (text) => (Object.hasOwn(table, text) ? table[text] : text);

/** @param {TemplateStringsArray} strings */
const keyOf = (strings) => strings.reduce((text, part, index) => `${text}{${index}}${part}`);

/// A text with values in it: w`${name} is on pad ${number}.` is "{1} is on pad {2}." in the tables.
/// Another language may put the values in another order.
/** @param {TemplateStringsArray} strings @param {any[]} values */
export const w = (strings, ...values) => t(keyOf(strings)).replace(/\{(\d+)\}/g, (_, number) => values[number - 1]);

/// Like `w`, but with elements as the values. The result is a list of children for `h`.
/** @param {TemplateStringsArray} strings @param {any[]} elements */
export const pieces = (strings, ...elements) =>
  t(keyOf(strings)).split(/\{(\d+)\}/).map((part, index) => (index % 2 ? elements[Number(part) - 1] : part));

/// Words of the protocol are in small letters there, such as `thirds`. The page begins them with a
/// capital, as its own words: "Thirds".
/** @param {string} word */
export const named = (word) => t(`${word.charAt(0).toUpperCase()}${word.slice(1)}`);
