/** What was typed when the session ended under an open form. In memory alone: it may hold a secret, and dies with the tab. */
const drafts = new Map<string, { person: number; draft: unknown }>()

export const keepDraft = (key: string, person: number, draft: unknown): void =>
  void drafts.set(key, { person, draft })

/** What the person typed there, and nobody else. It stays until it is dropped: React may render a form twice before it mounts. */
export const draftOf = <D>(key: string, person: number): D | undefined => {
  const found = drafts.get(key)
  return found?.person === person ? (found.draft as D) : undefined
}

/** A draft is given back once, and whoever else comes makes all of them go. */
export const dropDrafts = (key: string, person: number): void => {
  for (const [kept, { person: typist }] of drafts) if (typist !== person) drafts.delete(kept)
  drafts.delete(key)
}
