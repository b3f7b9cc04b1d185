import packageJson from '../../package.json' with { type: 'json' }

/** The program's version, as in every package.json and first in CHANGELOG.md. */
export const programVersion: string = packageJson.version

/** Whether the version is the given one or later; both are `major.minor.patch`. */
export const isAtLeast = (version: string, least: string): boolean => {
  const [own, other] = [partsOf(version), partsOf(least)]
  const different = own.findIndex((part, index) => part !== other[index])
  return different < 0 || (own[different] ?? 0) > (other[different] ?? 0)
}

const partsOf = (version: string): number[] => version.split('.').map(Number)
