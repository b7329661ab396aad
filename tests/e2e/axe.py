"""Accessibility checks with axe-core."""

from pathlib import Path

from playwright.async_api import Page

AXE = Path(__file__).parents[2] / "apps" / "web" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async () => {
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
    const {violations} = await axe.run(document, {runOnly: tags});
    const describe = ({id, nodes}) => nodes.map(({html, any}) => `${id}: ${html} ${any.map(it => it.message)}`);
    return violations.flatMap(describe);
}"""


async def accessibility_violations(page: Page) -> list[str]:
    """Violations of WCAG 2.2 at level AA in what the page shows now; one line each."""
    # Evaluated by the debugger, because the content security policy forbids other scripts.
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    # Colours are measured when animations have ended.
    await page.evaluate("Promise.allSettled(document.getAnimations().map(({finished}) => finished))")
    violations: list[str] = await page.evaluate(RUN)
    return violations
