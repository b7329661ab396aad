/** The wordmark, while the page is loading. `index.html` contains the same, which is shown before the scripts. */
export function Splash() {
  return (
    <main className="splash" aria-busy="true">
      <img src="/favicon.svg" alt="" width="40" height="40" />
      <p>{NAME}</p>
    </main>
  );
}

/** A name, not a text in a language; also shown before the texts are loaded. */
const NAME = "Keepsake";
