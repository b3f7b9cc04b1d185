import { useMailIsLate } from '../../lib/api/use-sends-mail.ts'

/** Says to everybody alike that e-mails wait; nothing about the address that was typed. */
export const LateMail = () =>
  useMailIsLate() ? (
    <strong role="status">
      {' '}
      O envio de e-mails está atrasado: o link só chega quando o servidor de e-mail voltar. Se isso demorar
      mais de uma hora, peça outro.
    </strong>
  ) : null
