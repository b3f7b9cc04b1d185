import { linkAddress, linkLifetime } from '../../auth/account-links.ts'
import type { Config } from '../../config/config.ts'
import type { Mail } from '../../mail/mails.ts'

/** Returns the e-mail with the link by which an invited person chooses a password. */
export const invitationMail = (
  config: Pick<Config, 'publicUrl'>,
  { nome, convidadoPor, token }: { nome: string; convidadoPor: string; token: string },
): Mail => ({
  modelo: 'convite',
  nome,
  convidadoPor,
  link: linkAddress(config, 'convite', token),
  dias: linkLifetime.convite / (24 * 3_600_000),
})
