import { Button, Checkbox } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import { saveFile } from '../../lib/browser/save-file.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { LeaveDialog } from '../../ui/entity-form/leave-dialog.tsx'
import { focusOnMount } from '../../ui/page-focus.ts'
import shared from '../../ui/shared.module.css'
import classes from './second-factor.module.css'

interface RecoveryCodesProps {
  codes: string[]
  /** The account's e-mail, for the file and the printout. */
  account: string
  title: string
  onDone: () => void
}

/** Shows the recovery codes, which the server returns only once, until the user has stored them. */
export const RecoveryCodes = ({ codes, account, title, onDone }: RecoveryCodesProps) => {
  const [kept, setKept] = useState(false)
  const text = fileOf(codes, account)
  return (
    <section className={shared.card} aria-labelledby="codigos-titulo">
      <div>
        <h2 id="codigos-titulo" className={shared.title} ref={focusOnMount} tabIndex={-1}>
          {title}
        </h2>
        <p className={shared.underHeading}>
          Guarde estes códigos de recuperação em um lugar seguro: eles não aparecem de novo. Se você perder o
          aparelho, cada um deles serve para entrar uma vez.
        </p>
      </div>
      <div className={classes.sheet}>
        <p className={classes.printed}>BI Manager: códigos de recuperação de {account}</p>
        <ol className={classes.codes} aria-label="Códigos de recuperação">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
      </div>
      <div className={shared.buttons}>
        <CopyButton size="sm" text={text} label="Copiar" done="Códigos copiados" />
        <Button
          variant="default"
          size="sm"
          leftSection={<IconDownload size={15} aria-hidden />}
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'codigos-de-recuperacao.txt')}
        >
          Baixar
        </Button>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconPrinter size={15} aria-hidden />}
          onClick={() => window.print()}
        >
          Imprimir
        </Button>
      </div>
      <Checkbox
        label="Guardei os códigos"
        checked={kept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      <div className={shared.buttons}>
        <Button onClick={onDone} disabled={!kept}>
          Concluir
        </Button>
      </div>
      <LeaveDialog isDirty={!kept} hasNoDraft texts={leaving} />
    </section>
  )
}

const leaving = {
  title: 'Sair sem guardar os códigos?',
  text: 'Eles não aparecem de novo. Sem eles, quem perde o aparelho não consegue entrar.',
  stay: 'Continuar aqui',
  leave: 'Sair sem guardar',
}

const fileOf = (codes: string[], account: string): string =>
  [
    'BI Manager: códigos de recuperação',
    `Conta: ${account}`,
    'Cada código serve para entrar uma vez, no lugar do aplicativo autenticador.',
    '',
    ...codes,
    '',
  ].join('\r\n')
