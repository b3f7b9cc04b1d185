import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

const FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome']
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/** Returns the path of a Chromium or Chrome, or undefined. `named` excludes other paths. */
export const findChromium = async (named: string | undefined, searchPath: string) => {
  const folders = [...searchPath.split(delimiter).filter(Boolean), ...FOLDERS]
  const candidates =
    named === undefined ? folders.flatMap((folder) => NAMES.map((name) => join(folder, name))) : [named]
  for (const path of candidates) if (await isChromium(path)) return path
  return undefined
}

/** Runs --version: some systems install a stub that only prints what to install. */
const isChromium = async (path: string): Promise<boolean> => {
  const isThere = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!isThere) return false
  return new Promise((resolve) =>
    execFile(path, ['--version'], { timeout: 20_000 }, (error) => resolve(!error)),
  )
}
