import { Alert } from '@mantine/core'
import { useState } from 'react'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { focusPageHeading } from '../../ui/page-focus.ts'
import { AccountActivity } from './account-activity.tsx'
import classes from './own-account.module.css'
import { OwnSessions } from './own-sessions.tsx'

/** '/meus-acessos': the user's open sessions and account activity. */
export const SessionsPage = () => {
  const [message, setMessage] = useState<string>()
  const handleEnded = (text: string) => {
    setMessage(text)
    // The focused button is unmounted with its row.
    focusPageHeading()
  }
  return (
    <AdminPage
      title="Meus acessos"
      lead="Os aparelhos em que a sua conta está aberta agora. Não reconhece algum? Encerre-o e altere a senha."
      narrow
    >
      <div role="status" className={classes.status}>
        {message && <Alert color="teal">{message}</Alert>}
      </div>
      <OwnSessions onEnded={handleEnded} />
      <AccountActivity />
    </AdminPage>
  )
}
