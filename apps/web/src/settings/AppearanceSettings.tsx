import { useState } from "react";
import { LANGUAGES, useLocalization, type Language } from "../strings";
import { applyTheme, loadTheme, saveTheme, THEMES, type Theme } from "../ui/theme";

const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];

export function AppearanceSettings() {
  const { strings, choice, choose } = useLocalization();
  const { settings } = strings;
  const [theme, setTheme] = useState(() => loadTheme(localStorage));
  const changeTheme = (changed: Theme) => {
    setTheme(changed);
    saveTheme(localStorage, changed);
    applyTheme(document.documentElement, changed);
  };
  return (
    <section aria-labelledby="settings-appearance">
      <h2 id="settings-appearance">{settings.appearance}</h2>
      <div className="settings-row">
        <span id="settings-theme">{settings.theme}</span>
        <div className="kind-filter" role="radiogroup" aria-labelledby="settings-theme">
          {THEMES.map((name) => (
            <label key={name} className="kind-option">
              <input
                type="radio"
                name="theme"
                checked={theme === name}
                onChange={() => changeTheme(name)}
              />
              <span>{settings.themes[name]}</span>
            </label>
          ))}
        </div>
      </div>
      <div className="settings-row">
        <label htmlFor="settings-language">{settings.language}</label>
        <select
          id="settings-language"
          className="field field-small"
          value={choice ?? ""}
          onChange={({ target }) =>
            choose(LANGUAGE_CODES.find((code) => code === target.value) ?? null)
          }
        >
          <option value="">{settings.browserLanguage}</option>
          {LANGUAGE_CODES.map((code) => (
            <option key={code} value={code} lang={code}>
              {LANGUAGES[code]}
            </option>
          ))}
        </select>
      </div>
    </section>
  );
}
