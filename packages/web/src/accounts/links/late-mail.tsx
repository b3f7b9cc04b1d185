import { useMailIsLate } from '../../lib/api/use-sends-mail.ts'

/** Says to everybody alike that e-mails wait; nothing about the address that was typed. */
export const LateMail = () =>
  useMailIsLate() ? (
    <strong role="status">
      {' '}
      O envio de e-mails está atrasado, e o link pode demorar a chegar. Se isso demorar mais de uma hora, peça
      outro.
    </strong>
  ) : null
