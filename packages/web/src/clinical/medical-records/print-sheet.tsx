import { fieldLabels, type MedicalRecord } from '@bi-manager/contract'
import { useWindowEvent } from '@mantine/hooks'
import { useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { useSession } from '../../lib/session/session.ts'
import { brandName } from '../../lib/text/brand.ts'
import { clockName, fullTime } from '../../lib/text/relative-time.ts'
import { AuthorName } from './author-name.tsx'
import classes from './print-sheet.module.css'
import { RecordFacts } from './record-facts.tsx'

/** Mounts the sheet, opens the browser's print dialog and unmounts the sheet when that closes. */
export const usePrint = () => {
  const [isPrinting, setPrinting] = useState(false)
  useWindowEvent('afterprint', () => setPrinting(false))
  return {
    isPrinting,
    print: () => {
      flushSync(() => setPrinting(true))
      window.print()
    },
  }
}

/**
 * A record as printed, instead of everything else on the page (print-sheet.module.css). Rendered
 * into the body, because the dialog is one screen high and would cut off a long record.
 */
export const PrintSheet = ({ record }: { record: MedicalRecord }) => {
  const session = useSession()
  return createPortal(
    <article className={classes.sheet} aria-hidden>
      {/* Both repeat on each page, so that a separated sheet still names its patient. */}
      <div className={classes.head}>
        <div>
          <p className={classes.product}>{brandName}</p>
          <p className={classes.person}>
            <strong>{record.nome_beneficiario}</strong>, {fieldLabels.id_beneficiario}{' '}
            {record.id_beneficiario}
          </p>
        </div>
      </div>
      <div className={classes.body}>
        <h1 className={classes.title}>Informações prontuário</h1>
        <RecordFacts record={record} />
      </div>
      <div className={classes.foot}>
        <p>
          Contém dados pessoais sensíveis (LGPD). Prontuário nº {record.id}, versão {record.versao}. Impresso
          por {session && <AuthorName nome={session.nome} idUsuario={session.usuario_id} registro={null} />}{' '}
          em {fullTime(new Date(serverNow()).toISOString())} ({clockName}).
        </p>
      </div>
    </article>,
    document.body,
  )
}

/**
 * Printed by the browser's own command instead of the open record: the access log would miss it.
 */
export const PaperNotice = () => (
  <p className={classes.notice}>Para imprimir um prontuário, use o botão “Imprimir” do próprio prontuário.</p>
)
