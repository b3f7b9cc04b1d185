import packageJson from '../../../package.json' with { type: 'json' }

/** The program's version: that of every package.json, and the newest in CHANGELOG.md. */
export const programVersion: string = packageJson.version

/** Whether the version is the given one or later; both are `major.minor.patch`. */
export const isAtLeast = (version: string, least: string): boolean => {
  const [parts, leastParts] = [partsOf(version), partsOf(least)]
  const different = parts.findIndex((part, index) => part !== leastParts[index])
  return different < 0 || (parts[different] ?? 0) > (leastParts[different] ?? 0)
}

const partsOf = (version: string): number[] => version.split('.').map(Number)
