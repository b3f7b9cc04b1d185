import { TextInput, type TextInputProps } from '@mantine/core'

type Name = 'usuarioIdentidade' | 'identidadeRls'

interface IdentityFieldsProps {
  labels: Record<Name, string>
  /** Whose rows are shown, after 'Só para relatórios que restringem as linhas por pessoa:'. */
  rows: string
  /** That of the form. */
  text: (name: Name) => TextInputProps
}

/** The effective identity of a screen or a guest, who have no account. */
export const IdentityFields = ({ labels, rows, text }: IdentityFieldsProps) => (
  <>
    <TextInput
      label={labels.usuarioIdentidade}
      description={`Só para relatórios que restringem as linhas por pessoa: ${rows}`}
      maxLength={256}
      autoComplete="off"
      spellCheck={false}
      {...text('usuarioIdentidade')}
    />
    <TextInput
      label={labels.identidadeRls}
      description="Vai no campo customData, como no cadastro de pessoas."
      maxLength={254}
      autoComplete="off"
      spellCheck={false}
      {...text('identidadeRls')}
    />
  </>
)
