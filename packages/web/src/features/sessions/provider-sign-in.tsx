import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { SignInRefused } from './entrance-api.ts'
import { EntranceMessage } from './entrance-message.tsx'
import { leaveForProvider } from './provider-attempt.ts'
import classes from './provider-sign-in.module.css'
import { SignInLead } from './sign-in-lead.tsx'

interface ProviderSignInProps {
  /** The provider's name. */
  name: string
  destination: string | undefined
  /** Said above the button where there is no form above it. */
  lead?: string
}

/** Signs in at the identity provider: beside the form, or in its place. */
export const ProviderSignIn = ({ name, destination, lead }: ProviderSignInProps) => {
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const isAlone = lead !== undefined

  // Who comes back with the browser's own button finds the page as they left it, still waiting.
  useEffect(() => {
    const handleShow = (event: PageTransitionEvent) => {
      if (event.persisted) setPending(false)
    }
    window.addEventListener('pageshow', handleShow)
    return () => window.removeEventListener('pageshow', handleShow)
  }, [])

  const leave = async () => {
    setPending(true)
    setProblem(undefined)
    try {
      await leaveForProvider(destination)
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error
      setPending(false)
      setProblem(error.message)
    }
  }

  return (
    <>
      {isAlone ? <SignInLead lead={lead} problem={problem} /> : <p className={classes.or}>ou</p>}
      <Button
        size="md"
        fullWidth
        variant={isAlone ? 'filled' : 'default'}
        loading={pending}
        aria-busy={pending}
        onClick={() => void leave()}
        classNames={{ root: classes.button, label: classes.label }}
      >
        Entrar com {name}
      </Button>
      {problem && !isAlone && (
        <div className={classes.problem}>
          <EntranceMessage isProblem>{problem}</EntranceMessage>
        </div>
      )}
    </>
  )
}
