import { useEffect, useState } from 'react'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { BrandPane } from './brand-pane.tsx'
import { isDemo } from './entrance-api.ts'
import { SignInForm } from './sign-in-form.tsx'
import classes from './sign-in-page.module.css'

/** Needs neither router nor query client: it is shown before they are fetched (see app/entrance.tsx). */
export const SignInPage = ({ hasDestination = false }: { hasDestination?: boolean }) => {
  const [demo, setDemo] = useState(false)
  useEffect(() => {
    void isDemo().then(setDemo)
  }, [])

  return (
    <main className={classes.page}>
      <BrandPane />
      <div className={classes.formPane}>
        <div className={classes.form}>
          <BrandMark size={44} className={classes.mark} />
          <h1 className={classes.title}>BI Manager</h1>
          <SignInForm
            lead={
              hasDestination
                ? 'Entre para abrir a página que você pediu.'
                : 'Entre para ver seus relatórios gerenciais.'
            }
          />
        </div>
        {demo && (
          <p className={classes.demo}>
            <strong>Demonstração.</strong> Pessoas e dados deste ambiente são fictícios.
          </p>
        )}
      </div>
    </main>
  )
}
