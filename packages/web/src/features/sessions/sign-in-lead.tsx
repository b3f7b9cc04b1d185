import { Alert } from '@mantine/core'
import { useSessionEnd } from '../../lib/session.ts'
import classes from './sign-in-lead.module.css'

interface SignInLeadProps {
  /** What signing in is for; gives way to what went wrong, so that what is below stays where it is. */
  lead: string
  problem: string | undefined
}

export const SignInLead = ({ lead, problem }: SignInLeadProps) => {
  const sessionEnded = useSessionEnd() === 'terminou'
  return (
    <div className={classes.lead}>
      {problem ? (
        <Alert color="red" role="alert" className={classes.problem}>
          {problem}
        </Alert>
      ) : sessionEnded ? (
        <Alert color="yellow" role="status" className={classes.notice}>
          Sua sessão terminou. Entre novamente para continuar.
        </Alert>
      ) : (
        <p>{lead}</p>
      )}
    </div>
  )
}
