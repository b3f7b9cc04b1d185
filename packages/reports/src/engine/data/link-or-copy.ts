import { constants } from 'node:fs'
import { copyFile, link } from 'node:fs/promises'

/** Gives a file a second name, or copies it where the file system has no links. */
export const linkOrCopy = (from: string, to: string): Promise<void> =>
  link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_FICLONE))
