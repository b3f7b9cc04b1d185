import { useSessionEnd } from '../../lib/session/session.ts'
import classes from './sign-in-lead.module.css'
import { SignInMessage } from './sign-in-message.tsx'

interface SignInLeadProps {
  /** The purpose of the sign-in; an error replaces it, so that nothing below moves. */
  lead: string
  problem: string | undefined
}

export const SignInLead = ({ lead, problem }: SignInLeadProps) => {
  const sessionEnded = useSessionEnd() === 'terminou'
  return (
    <div className={classes.lead}>
      {problem ? (
        <SignInMessage isProblem>{problem}</SignInMessage>
      ) : sessionEnded ? (
        <SignInMessage>Sua sessão terminou. Entre novamente para continuar.</SignInMessage>
      ) : (
        <p>{lead}</p>
      )}
    </div>
  )
}
