import { serverNow } from '../../../lib/clock/server-clock.ts'
import { usePageTitle } from '../../../lib/navigation/page-title.ts'
import { brandName } from '../../../lib/text/brand.ts'
import { BrandMark } from '../../../ui/brand-mark.tsx'
import { useNow } from '../../../ui/use-now.ts'
import classes from './kiosk.module.css'
import { usePairing } from './use-pairing.ts'

/** Shows the code that an ADMIN types in the kiosk's form. */
export const CodeScreen = () => {
  usePageTitle('Conectar tela')
  const { pairing, problem } = usePairing()
  useNow(1_000)
  const code = pairing?.codigo
  return (
    <main className={classes.codePage}>
      <div className={classes.card}>
        <p className={classes.brand}>
          <BrandMark size={36} />
          {brandName}
        </p>
        <h1 className={classes.codeTitle}>Conectar esta tela</h1>
        <p
          className={classes.code}
          role="status"
          aria-label={code ? `Código ${[...code].join(' ')}` : 'Pedindo um código'}
        >
          {code ? `${code.slice(0, 4)}-${code.slice(4)}` : '····-····'}
        </p>
        <ol className={classes.steps}>
          <li>Em outro computador, um administrador entra no portal e abre Telões.</li>
          <li>No cadastro do telão, ele escolhe Conectar tela e digita este código.</li>
          <li>Esta tela começa a mostrar os relatórios sozinha.</li>
        </ol>
        <p className={classes.codeNote}>
          {pairing && `Código novo em ${leftText(Date.parse(pairing.expiraEm) - serverNow())}.`}
        </p>
        <p role="alert" className={classes.codeProblem}>
          {problem}
        </p>
      </div>
    </main>
  )
}

/** Returns '9:41'. */
const leftText = (leftMs: number): string => {
  const seconds = Math.max(0, Math.round(leftMs / 1_000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
