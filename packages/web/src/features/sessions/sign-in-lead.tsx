import { useSessionEnd } from '../../lib/session/session.ts'
import { EntranceMessage } from './entrance-message.tsx'
import classes from './sign-in-lead.module.css'

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
        <EntranceMessage isProblem>{problem}</EntranceMessage>
      ) : sessionEnded ? (
        <EntranceMessage>Sua sessão terminou. Entre novamente para continuar.</EntranceMessage>
      ) : (
        <p>{lead}</p>
      )}
    </div>
  )
}
