import { Box } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { redirectToProvider } from './provider-attempt.ts'
import classes from './provider-sign-in.module.css'
import { refusalOf } from './sign-in-api.ts'
import { SignInLead } from './sign-in-lead.tsx'
import { SignInMessage } from './sign-in-message.tsx'

interface ProviderSignInProps {
  /** The provider's name. */
  name: string
  destination: string | undefined
  /** Text above the button when there is no form above it. */
  lead?: string
}

/** The sign-in at the identity provider, below the form or instead of it. */
export const ProviderSignIn = ({ name, destination, lead }: ProviderSignInProps) => {
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const isAlone = lead !== undefined

  // The browser's Back button restores the page from its cache in the pending state.
  useWindowEvent('pageshow', ({ persisted }) => persisted && setPending(false))

  const leave = async () => {
    setPending(true)
    setProblem(undefined)
    try {
      await redirectToProvider(destination)
    } catch (error) {
      setPending(false)
      setProblem(refusalOf(error).message)
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
        <Box mt="0.75rem">
          <SignInMessage isProblem>{problem}</SignInMessage>
        </Box>
      )}
    </>
  )
}
