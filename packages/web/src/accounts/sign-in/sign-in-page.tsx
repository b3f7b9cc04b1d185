import type { PublicAnnouncement } from '@bi-manager/contract'
import { lazy, Suspense, useEffect, useState } from 'react'
import { HOME } from '../../lib/navigation/destination.ts'
import { brandName } from '../../lib/text/brand.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { BrandPane } from './brand-pane.tsx'
import { ProviderSignIn } from './provider-sign-in.tsx'
import { fetchSettings } from './sign-in-api.ts'
import { SignInForm } from './sign-in-form.tsx'
import classes from './sign-in-page.module.css'
import { rememberedSettings, rememberSettings } from './sign-in-settings.ts'

const MaintenanceNotice = lazy(() => import('./maintenance-notice.tsx'))

interface SignInPageProps {
  /** The page that the user asked for. */
  destination?: string
  /** Filled in after the user has set a password here. */
  username?: string | undefined
  /** Whether an address that does not exist led here. */
  isUnknown?: boolean
  /** Called when the form is sent, before the answer. */
  onSending?: () => void
}

/**
 * Uses neither router nor query client, because it is shown before they load (app/sign-in-or-portal.tsx).
 */
export const SignInPage = ({ destination, username, isUnknown = false, onSending }: SignInPageProps) => {
  const [settings, setSettings] = useState(rememberedSettings)
  const [announcements, setAnnouncements] = useState<PublicAnnouncement[]>([])
  useEffect(() => {
    void fetchSettings().then((fetched) => {
      if (!fetched) return
      const { avisos, ...remembered } = fetched
      rememberSettings(remembered)
      setSettings(remembered)
      setAnnouncements(avisos)
    })
  }, [])

  const { demonstracao, entradaComSenha, provedorIdentidade } = settings
  const isAsked = destination !== undefined && destination !== HOME
  const lead = isUnknown
    ? 'O endereço que você abriu não existe. Entre para ver seus relatórios gerenciais.'
    : isAsked
      ? 'Entre para abrir a página que você pediu.'
      : 'Entre para ver seus relatórios gerenciais.'
  const provider = provedorIdentidade === null ? undefined : { name: provedorIdentidade, destination }
  return (
    <main className={classes.page}>
      <BrandPane />
      <div className={classes.formPane}>
        <div role="status" className={classes.notice}>
          {announcements.length > 0 && (
            <Suspense fallback={null}>
              <MaintenanceNotice announcements={announcements} />
            </Suspense>
          )}
        </div>
        <div className={classes.form}>
          <BrandMark size={44} className={classes.mark} />
          <h1 className={classes.title}>{brandName}</h1>
          {provider && !entradaComSenha ? (
            <ProviderSignIn {...provider} lead={lead} />
          ) : (
            <SignInForm lead={lead} knownAs={username} onSending={onSending}>
              {provider && <ProviderSignIn {...provider} />}
            </SignInForm>
          )}
        </div>
        <div className={classes.foot}>
          {demonstracao && (
            <p className={classes.demo}>
              <strong>Demonstração.</strong> Pessoas e dados deste ambiente são fictícios.
            </p>
          )}
          <p className={classes.privacy}>
            <a href="/privacidade">Aviso de privacidade</a>
          </p>
        </div>
      </div>
    </main>
  )
}
