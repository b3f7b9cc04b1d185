/** Returns the next 1, 2 or 5 times a power of ten. */
export const roundStep = (raw: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(raw, 1)))
  return (([1, 2, 5].find((factor) => factor * power >= raw) ?? 10) * power) | 0
}
