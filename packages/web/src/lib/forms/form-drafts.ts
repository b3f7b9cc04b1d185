/** Drafts of forms open when the session ended. In memory only: they may contain secrets. */
const drafts = new Map<string, { person: number; draft: unknown }>()

export const keepDraft = (key: string, person: number, draft: unknown): void =>
  void drafts.set(key, { person, draft })

/** Returns the person's own draft. Reading keeps it: React may render twice before mounting. */
export const draftOf = <D>(key: string, person: number): D | undefined => {
  const found = drafts.get(key)
  return found?.person === person ? (found.draft as D) : undefined
}

/** Removes the draft at `key`, and all drafts of other people. */
export const dropDrafts = (key: string, person: number): void => {
  for (const [kept, { person: typist }] of drafts) if (typist !== person) drafts.delete(kept)
  drafts.delete(key)
}
