import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'

/** An e-mail as its reader has it, and the address behind its button. */
export interface ReceivedMail extends Email {
  link: string | undefined
}

/** The e-mails to one person, the oldest first. */
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

/** The mail of this place (from 1) among those to one person, as soon as it is there. */
export const awaitMail = async (dataDir: string, address: string, place = 1): Promise<ReceivedMail> => {
  for (let waited = 0; waited < 20_000; waited += 200) {
    const mail = (await mailsTo(dataDir, address))[place - 1]
    if (mail) return mail
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`no e-mail ${place} to ${address}`)
}
