import type { Subscription } from '@bi-manager/contract'
import { Facts } from '../../../ui/facts.tsx'
import { filtersText } from '../subscription-texts.ts'
import classes from './subscriptions.module.css'

const hiddenChoice =
  'Não mostrados: neste relatório cada pessoa vê linhas diferentes. Só quem fez a assinatura a muda ou envia.'

/** What a subscription sends, and to whom. */
export const SubscriptionFacts = ({ subscription }: { subscription: Subscription }) => {
  const { visuais, filtros, marcador, parametros, nota, pessoas, perfis, sairam, destinatarios } =
    subscription
  const { pulaVazio, pulaInalterado, mostraEscolha } = subscription
  const skips = [...(pulaVazio ? ['vazio'] : []), ...(pulaInalterado ? ['sem mudanças'] : [])].join(' ou ')
  return (
    <Facts
      className={classes.facts}
      rows={[
        ['Visuais', visuais.map(({ titulo }) => titulo).join(', ') || undefined],
        ['Filtros', mostraEscolha ? filtersText(filtros) || 'Nenhum do painel' : hiddenChoice],
        ['Seleções nos visuais', marcador === null ? undefined : 'As que estavam na tela'],
        ['Parâmetros', parametros.length > 0 ? parametros.join(' · ') : undefined],
        ['Nota', nota ?? undefined],
        ['Não envia se estiver', skips || undefined],
        ['Destinatários', destinatarios.toLocaleString('pt-BR')],
        ['Pessoas', pessoas.map(({ nomeUsuario }) => nomeUsuario).join(', ') || undefined],
        ['Perfis', perfis.map(({ nomePerfil }) => nomePerfil).join(', ') || undefined],
        ['Saíram', sairam.map(({ nomeUsuario }) => nomeUsuario).join(', ') || undefined],
      ]}
    />
  )
}
