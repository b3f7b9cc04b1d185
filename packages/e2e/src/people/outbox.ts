import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'

/** A parsed e-mail, and the address of its button. */
export interface ReceivedMail extends Email {
  link: string | undefined
}

/** Returns the e-mails to one person, oldest first. */
const mailsTo = async (dataDir: string, address: string): Promise<ReceivedMail[]> => {
  const folder = join(dataDir, 'outbox')
  const names = await readdir(folder).catch(() => [])
  const mails = await Promise.all(
    names
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .map(async (name) => PostalMime.parse(await readFile(join(folder, name)))),
  )
  return mails
    .filter(({ to }) => to?.some((recipient) => recipient.address === address))
    .map((mail) => ({ ...mail, link: /https?:\/\/\S+/.exec(mail.text ?? '')?.[0] }))
}

/** Waits for and returns the nth (from 1) e-mail to one person. @throws Error after 20 s */
export const awaitMail = async (dataDir: string, address: string, place = 1): Promise<ReceivedMail> => {
  for (let waited = 0; waited < 20_000; waited += 200) {
    const mail = (await mailsTo(dataDir, address))[place - 1]
    if (mail) return mail
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`no e-mail ${place} to ${address}`)
}
