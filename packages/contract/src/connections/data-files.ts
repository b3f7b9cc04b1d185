/* Which files of a folder, a zip or a file dialog are sent, by their names. */

/** Files with data. The report service reads them, or says how to save another kind of spreadsheet. */
export const DATA_EXTENSIONS = ['.csv', '.txt', '.tsv', '.parquet', '.xlsx', '.xlsm', '.xlsb', '.xls', '.ods']

/** Whether a file has data, by its name or path. */
export const isDataFile = (path: string): boolean => endsWithOne(path, DATA_EXTENSIONS)

/** Whether a file of a folder has definitions or their data. */
export const isFileOfDefinitions = (path: string): boolean => endsWithOne(path, ['.json', ...DATA_EXTENSIONS])

const endsWithOne = (path: string, extensions: string[]): boolean =>
  extensions.some((extension) => path.toLowerCase().endsWith(extension))

/**
 * Returns the first part of a path that systems and editors leave in folders: '.DS_Store',
 * '__MACOSX', 'Thumbs.db', 'desktop.ini', and '~$x.xlsx' while Excel has x.xlsx open.
 */
export const leftoverIn = (path: string): string | undefined => {
  const steps = path.split('/')
  const index = steps.findIndex((step) => /^(\.|~\$|__MACOSX$|(thumbs\.db|desktop\.ini)$)/i.test(step))
  return index < 0 ? undefined : steps.slice(0, index + 1).join('/')
}
