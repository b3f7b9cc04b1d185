/** Returns whether the value is an object, neither null nor an array. */
export const isRecord = (input: unknown): input is Record<string, unknown> =>
  typeof input === 'object' && input !== null && !Array.isArray(input)
