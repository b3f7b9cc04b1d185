import type { ComponentProps } from 'react'

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit: () => void
}

/** A form that validates its fields itself. */
export const Form = ({ onSubmit, ...form }: FormProps) => (
  <form
    noValidate
    onSubmit={(event) => {
      event.preventDefault()
      // React bubbles the event through a dialog's portal to a form around it.
      event.stopPropagation()
      onSubmit()
    }}
    {...form}
  />
)
