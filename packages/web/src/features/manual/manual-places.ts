import { matchPath } from 'react-router'

/** A page of the manual and a heading of it, 'usar#sair'; '' is the list of pages. */
export type ManualPlace = string

/** Each screen's place in the manual, by its path in the route table. */
export const manualPlaces: Readonly<Record<string, ManualPlace>> = {
  '/': 'usar#entrar',
  '/cadastro': 'usar#pedir-uma-conta',
  '/recovery-password': 'usar#recuperar-a-senha',
  '/convite': 'usar#aceitar-um-convite',
  '/remover-segundo-fator': 'usar#trocar-de-celular',
  '/confirmar-email': 'usar#pedir-uma-conta',
  '/entrar/oidc': 'usar#entrar',
  '/privacidade': 'usar#a-sua-conta',
  '/saidibi': 'usar#encontrar-um-relatório',
  '/ajuda/:pagina?': '',
  '/segundo-fator': 'usar#ativar-o-segundo-fator',
  '/mudar-senha': 'usar#a-sua-conta',
  '/meu-perfil': 'usar#a-sua-conta',
  '/meus-acessos': 'usar#a-sua-conta',
  '/meu-uso': 'usar#a-sua-conta',
  '/meus-pedidos-acesso': 'usar#pedir-acesso-a-um-relatório',
  '/assinaturas': 'assinaturas#acompanhar-os-envios',
  '/assinaturas/:assinatura': 'assinaturas#acompanhar-os-envios',
  '/cancelar-assinatura': 'assinaturas#sair-de-uma-assinatura',
  '/assinaturas/todas': 'assinaturas#assinar-para-outras-pessoas',
  '/assinaturas/regras': 'assinaturas#definir-as-regras',
  '/chaves': 'usar#chaves-de-api',
  '/notificacoes': 'usar#notificações',
  '/aviso/:aviso': 'usar#notificações',
  '/analise': 'administrar#ligar-um-relatório-a-uma-página-do-bi-saúde',
  '/corporacoes': 'administrar#ligar-um-relatório-a-uma-página-do-bi-saúde',
  '/painel': 'administrar#ligar-um-relatório-a-uma-página-do-bi-saúde',
  '/senhas-liberadas': 'administrar#ligar-um-relatório-a-uma-página-do-bi-saúde',
  '/telemedicina': 'administrar#ligar-um-relatório-a-uma-página-do-bi-saúde',
  '/perfil': 'administrar#ligar-um-relatório-a-uma-página-do-bi-saúde',
  '/relatorio-embed/:groupName/:relatorio/:groupId/:reportId': 'usar#ler-um-relatório',
  '/relatorio-embed/:groupName/:groupId/:reportId': 'usar#ler-um-relatório',
  '/beneficiarios': 'prontuarios#manter-o-cadastro-de-beneficiários',
  '/protecao-de-dados': 'encarregado#responder-a-um-titular',
  '/protecao-de-dados/incidente/:incidente?': 'encarregado#registrar-e-comunicar-um-incidente',
  '/permissao-relatorio': 'administrar#conceder-permissões',
  '/permissao-relatorio/:perfil': 'administrar#conceder-permissões',
  '/permissao-relatorio/:perfil/membros': 'administrar#acrescentar-várias-pessoas-a-um-perfil',
  '/powerbi': 'administrar#cadastrar-um-powerbi',
  '/Registerpowerbi/:item?': 'administrar#cadastrar-um-powerbi',
  '/capacidades': 'administrar#iniciar-e-pausar-uma-capacidade',
  '/cadastrar-capacidade/:item?': 'administrar#iniciar-e-pausar-uma-capacidade',
  '/workspace': 'administrar#cadastrar-um-workspace',
  '/Registerworkspace/:id?': 'administrar#cadastrar-um-workspace',
  '/relatorio': 'administrar#cadastrar-um-relatório',
  '/RegisterworkspaceRelatorios/:report?': 'administrar#cadastrar-um-relatório',
  '/publicar': 'administrar#publicar-um-relatório-de-uma-planilha',
  '/publicados/:reportId?': 'administrar#ver-e-restaurar-versões',
  '/teloes': 'administrar#mostrar-relatórios-em-um-telão',
  '/cadastrar-telao/:item?': 'administrar#mostrar-relatórios-em-um-telão',
  '/telao': 'administrar#mostrar-relatórios-em-um-telão',
  '/avisos': 'administrar#escrever-um-aviso',
  '/cadastrar-aviso/:aviso?': 'administrar#escrever-um-aviso',
  '/aparencia': 'administrar#mudar-a-aparência',
  '/usuario': 'administrar#cadastrar-usuários',
  '/cadastrar-usuario/:user?': 'administrar#cadastrar-usuários',
  '/editrelatorio/:user': 'administrar#conceder-permissões',
  '/pedidos-acesso': 'administrar#responder-a-pedidos-de-acesso',
  '/permissoes/porque': 'administrar#conceder-permissões',
  '/permissoes/ver-como/:user': 'administrar#ver-um-relatório-como-outra-pessoa',
  '/permissoes/ver-como/:user/:groupId/:reportId': 'administrar#ver-um-relatório-como-outra-pessoa',
  '/auditoria': 'administrar#consultar-a-auditoria',
  '/searchRelatorio': 'administrar#conceder-permissões',
  '/seguranca': 'administrar#exigir-o-segundo-fator',
  '/chaves-de-api': 'administrar#chaves-de-api',
  '/situacao': 'administrar#situação-do-sistema',
  '/uso': 'administrar#uso-dos-relatórios',
}

/** Returns the address of the manual's place for the screen at a path. */
export const manualAddressOf = (pathname: string): string => {
  const path = Object.keys(manualPlaces).find((one) =>
    matchPath({ path: one, caseSensitive: true }, pathname),
  )
  const place = path && manualPlaces[path]
  return place ? `/ajuda/${place}` : '/ajuda'
}
