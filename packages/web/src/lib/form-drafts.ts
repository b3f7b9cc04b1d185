/** What was typed when the session ended under an open form. In memory alone: it may hold a secret, and dies with the tab. */
const drafts = new Map<string, { person: number; draft: unknown }>()

export const keepDraft = (key: string, person: number, draft: unknown): void =>
  void drafts.set(key, { person, draft })

/** Gives a draft back, once, to the person who typed it; whoever else comes makes all of them go. */
export const takeDraft = <D>(key: string, person: number): D | undefined => {
  for (const [kept, { person: typist }] of drafts) if (typist !== person) drafts.delete(kept)
  const found = drafts.get(key)
  drafts.delete(key)
  return found?.draft as D | undefined
}
