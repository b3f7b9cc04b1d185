import { accessExpiresMail } from './access/grants/expiry.mail.ts'
import { requestAnsweredMail } from './access/requests/access-requests.mail.ts'
import { accountMails } from './accounts/accounts.mail.ts'
import { alertMail } from './distribution/alerts/alert.mail.ts'
import { guestMails } from './distribution/guests/guests.mail.ts'
import { subscriptionMail } from './distribution/subscriptions/mails/subscription.mail.ts'
import { systemStatusMails } from './operations/system-status/system-status.mail.ts'
import type { AnyMailKind } from './platform/mail/mail-kind.ts'
import { mentionMail } from './reports/comments/mention.mail.ts'

/** Every kind of e-mail of the product. */
export const mailKinds: readonly AnyMailKind[] = [
  ...accountMails,
  mentionMail,
  accessExpiresMail,
  requestAnsweredMail,
  subscriptionMail,
  alertMail,
  ...guestMails,
  ...systemStatusMails,
]
