import { Alert, type AlertProps } from '@mantine/core'
import { messageOf } from '../lib/api/api.ts'

interface ErrorAlertProps extends Pick<AlertProps, 'icon' | 'className' | 'mt' | 'mb' | 'w'> {
  /** An error, or the sentence about it; without one nothing is rendered. */
  error: unknown
}

/** Announces why something failed. */
export const ErrorAlert = ({ error, ...look }: ErrorAlertProps) =>
  error ? (
    <Alert color="red" role="alert" {...look}>
      {typeof error === 'string' ? error : messageOf(error)}
    </Alert>
  ) : null
