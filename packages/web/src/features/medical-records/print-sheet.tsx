import { fieldLabels, type MedicalRecord } from '@bi-manager/contract'
import { useEffect, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { clockName, fullTime } from '../../lib/relative-time.ts'
import { useSession } from '../../lib/session.ts'
import { AuthorName } from '../../ui/author-name.tsx'
import classes from './print-sheet.module.css'
import { RecordFacts } from './record-facts.tsx'

/** Puts the sheet on the page, opens the browser's print dialog, and takes the sheet away when that is closed. */
export const usePrint = () => {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    if (!isPrinting) return
    const done = () => setPrinting(false)
    window.addEventListener('afterprint', done)
    return () => window.removeEventListener('afterprint', done)
  }, [isPrinting])
  return {
    isPrinting,
    print: () => {
      flushSync(() => setPrinting(true))
      window.print()
    },
  }
}

/**
 * One record as it goes on paper, in place of everything else on the page (print-sheet.module.css). A child of the body: inside
 * the dialog, which is one screen high, a long record would be cut off.
 */
export const PrintSheet = ({ record }: { record: MedicalRecord }) => {
  const session = useSession()
  return createPortal(
    <article className={classes.sheet} aria-hidden>
      {/* Head and foot stand on each page: a sheet that was parted from the others still says whose it is. */}
      <div className={classes.head}>
        <div>
          <p className={classes.product}>BI Manager</p>
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
          em {fullTime(new Date().toISOString())} ({clockName}).
        </p>
      </div>
    </article>,
    document.body,
  )
}

/** What the browser's own print command puts on paper in place of a record that is open: that print would be on no record. */
export const PaperNotice = () => (
  <p className={classes.notice}>Para imprimir um prontuário, use o botão “Imprimir” do próprio prontuário.</p>
)
