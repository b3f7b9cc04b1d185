import type { Config } from '../../platform/config/config.ts'
import type { Invitation } from '../accounts.mail.ts'
import { linkAddress, linkLifetime } from '../credentials/account-links.ts'

/** Returns the content of the e-mail with the link by which an invited person chooses a password. */
export const invitationContent = (
  config: Pick<Config, 'publicUrl'>,
  { nome, convidadoPor, token }: { nome: string; convidadoPor: string; token: string },
): Invitation => ({
  nome,
  convidadoPor,
  link: linkAddress(config, 'convite', token),
  dias: linkLifetime.convite / (24 * 3_600_000),
})
