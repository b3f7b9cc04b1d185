interface Schema<D> {
  safeParse: (draft: unknown) => {
    data?: D | undefined
    error?: { issues: { path: PropertyKey[]; message: string }[] } | undefined
  }
}

/** Returns the request body, and the first fault of each field. */
export const checkedDraft = <D>(schema: Schema<D>, draft: unknown) => {
  const { data, error } = schema.safeParse(draft)
  const faults: Record<string, string> = Object.fromEntries(
    (error?.issues ?? []).map(({ path, message }) => [String(path[0]), message]).reverse(),
  )
  return { draft: data, faults }
}
