import { Alert, Anchor } from '@mantine/core'
import { IconMailOff } from '@tabler/icons-react'
import { Link } from 'react-router'

/** Returns the title of the dialog that confirms an invitation. */
export const invitationTitle = (sendsMail: boolean): string =>
  sendsMail ? 'Convite enviado!' : 'Convite criado, não enviado'

/**
 * Says before an invitation that the portal will not send it. With `linksToRegistration` it offers
 * to register the person with a password instead.
 */
export const NoMailAlert = ({ linksToRegistration = false }: { linksToRegistration?: boolean }) => (
  <Alert color="yellow" icon={<IconMailOff aria-hidden />}>
    <strong>Este portal não envia e-mails</strong>: o servidor dele não tem SMTP_URL. O convite fica em um
    arquivo da pasta outbox, e quem cuida do servidor o entrega à pessoa.
    {linksToRegistration && (
      <>
        {' '}
        Para não depender disso,{' '}
        <Anchor component={Link} to="/cadastrar-usuario" inherit underline="always" c="inherit">
          cadastre a pessoa com uma senha
        </Anchor>
        .
      </>
    )}
  </Alert>
)
