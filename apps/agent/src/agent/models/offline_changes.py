"""Statements that say that something has changed, for the offline model."""

from agent.language.parsing.sentences import compile_any

_CHANGE = compile_any(
    r"\b(?:now|new|at the moment|currently|these days|since|any ?more|no longer|instead|gone|went|mov(?:ed|ing)"
    r"|chang(?:ed|ing)|switch(?:ed|ing)|pushed|postponed"
    r"|delayed|slipped|increased|rais(?:ed|ing)|up to|down to|doubled|halved|upped|promoted|became|settled on"
    r"|decided on|ended up|going (?:up|down)|made me|put (?:me|us|it|the \w{2,20}) (?:up|on|down))\b",
    r"\b(?:jetzt|nun|neu(?:e[nrs]?)?|momentan|derzeit|inzwischen|mittlerweile|nicht mehr|statt|stattdessen|doch"
    r"|verschoben|geändert|erhöht|gestiegen"
    r"|gesenkt|umgezogen|gewechselt|seit)\b",
    r"\b(?:ahora|actualmente|desde|nuev[oa]|ya|en vez de|en lugar de|cambi\w{2,5}|aplaz\w{2,4}|sub(?:ió|ido|e)"
    r"|baj(?:ó|ado|a)"
    r"|pas[óo] a|mud\w{2,4})\b",
    r"\b(?:maintenant|en ce moment|depuis|nouve(?:au|lle)|désormais|finalement|au lieu|chang\w{1,3}|repouss\w{1,3}"
    r"|reporté\w?|augment\w{1,3}|passée? à"
    r"|déménag\w{1,3}|devenue?)\b",
    r"\b(?:adesso|al momento|nuov[oa]|ora|ormai|invece|cambi\w{2,4}|spostat\w|rimandat\w|aumentat\w|salit\w"
    r"|passat\w a|trasferit\w"
    r"|promoss\w)\b",
    r"\b(?:agora|atualmente|nov[oa]|já|em vez|mud(?:ei|ou|ámos|amos|aram)|adiad\w|aument(?:ou|aram)|subiu|passou a)\b",
    r"\b(?:nu|momenteel|tegenwoordig|sinds|nieuwe?|inmiddels|niet meer|in plaats van|verplaatst|veranderd|verhoogd"
    r"|gestegen|verhuisd)\b",
)


def states_change(text: str) -> bool:
    """Check whether a statement says that something is no longer as it was."""
    return _CHANGE.search(text) is not None
