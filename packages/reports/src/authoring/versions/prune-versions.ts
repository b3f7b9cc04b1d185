import { keptData, type Version, versionFile } from './version-files.ts'

/** Versions kept of one report that changed its definition. */
export const MAX_DEFINITIONS = 20
/** Versions kept of one report that changed only its data. */
export const MAX_DATA_ONLY = 10
/** Bytes of earlier data kept of one report. */
export const MAX_DATA_BYTES = 200 * 1024 * 1024
/** Bytes of the earlier data of all reports. When full, the report being published keeps less. */
export const MAX_BYTES_OF_ALL = 5 * 1024 ** 3

/**
 * Returns what is deleted of a report's versions. The newest versions of both kinds stay, and as
 * much of their data as fits; a version without its data still restores the definition.
 * @param versions the newest first
 * @param kept bytes of each kept data file, by digest
 * @param mostBytes bytes of data that the report may keep
 */
export const whatToPrune = (
  reportId: string,
  versions: Version[],
  { kept, mostBytes }: { kept: Map<string, number>; mostBytes: number },
): string[] => {
  const stays = (isDataOnly: boolean, most: number) =>
    versions.filter((version) => version.isDataOnly === isDataOnly).slice(0, most)
  const staying = new Set([...stays(false, MAX_DEFINITIONS), ...stays(true, MAX_DATA_ONLY)])
  const digests = versions
    .filter((version) => staying.has(version))
    .flatMap(({ dataset }) => dataset.files.map(({ digest }) => digest))
  const wanted = [...new Set(digests)].filter((digest) => kept.has(digest))
  const fitting = new Set<string>()
  let bytes = 0
  for (const digest of wanted) {
    bytes += kept.get(digest) ?? 0
    if (bytes > mostBytes) break
    fitting.add(digest)
  }
  return [
    ...versions.filter((version) => !staying.has(version)).map(({ number }) => versionFile(reportId, number)),
    ...[...kept.keys()].filter((digest) => !fitting.has(digest)).map((digest) => keptData(reportId, digest)),
  ]
}
