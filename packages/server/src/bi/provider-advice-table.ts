import type { ProblemCode } from '@bi-manager/contract'
import type { Connection } from './connection.ts'

/** The call that failed: a step of the connection test, or the reports of one group. */
export type Asked = 'credencial' | 'grupos' | 'grupo' | 'relatorio' | 'token'

interface Advice {
  /** Matches the provider's status, code or text. */
  says?: RegExp
  codigo?: ProblemCode
  /** Only for these calls: the same refusal has different meanings. */
  asked?: Asked[]
  credential?: Connection['credential']['kind']
  /** One or two sentences per provider: what is wrong, and what to do. */
  microsoft: string
  local: string
}

const localCredential =
  'Use como Username e Senha o clientId e o clientSecret de service.json, na pasta de dados do serviço local de relatórios.'

/**
 * The known refusals; the first matching row applies. Order: Entra's codes, Power BI's, then the
 * rest by problem code. Menu names are those of Microsoft's Portuguese portals.
 */
export const adviceTable: Advice[] = [
  {
    says: /AADSTS7000215\b/,
    microsoft:
      'O segredo do aplicativo está incorreto. No Microsoft Entra, abra Registros de aplicativo, o aplicativo, Certificados e segredos, e grave aqui o Valor do segredo (não o ID do segredo).',
    local: `O serviço local não reconhece esta senha. ${localCredential}`,
  },
  {
    says: /AADSTS7000222\b/,
    microsoft:
      'O segredo do aplicativo expirou. No Microsoft Entra, abra Registros de aplicativo, o aplicativo, Certificados e segredos, crie um novo segredo do cliente e grave aqui o Valor dele.',
    local: `A senha desta conexão expirou. ${localCredential}`,
  },
  {
    says: /AADSTS700016\b/,
    microsoft:
      'O aplicativo não existe neste tenant. Confira o Application ID (ID do aplicativo, não o ID do objeto) e o Tenant ID na visão geral do registro de aplicativo no Microsoft Entra.',
    local: `O serviço local não conhece este aplicativo. ${localCredential}`,
  },
  {
    says: /AADSTS(90002|900021|900023)\b/,
    microsoft:
      'O tenant não existe. Copie o Tenant ID (ID do diretório) da visão geral do Microsoft Entra e grave-o em Avançado.',
    local: 'O serviço local não conhece este tenant. Deixe o Tenant ID vazio.',
  },
  {
    says: /AADSTS(50059|50194|9002313)\b/,
    microsoft:
      'Falta dizer o tenant: um aplicativo não entra sem ele. Copie o Tenant ID (ID do diretório) da visão geral do Microsoft Entra e grave-o em Avançado.',
    local: 'O serviço local não reconhece o tenant. Deixe o Tenant ID vazio.',
  },
  {
    says: /AADSTS(50126|50034)\b/,
    microsoft:
      'O usuário mestre ou a senha dele está incorreto. Entre com ele em app.powerbi.com para conferir e grave aqui o mesmo usuário e a mesma senha.',
    local: `O serviço local não reconhece este usuário e senha. ${localCredential}`,
  },
  {
    says: /AADSTS(50076|50079|50072|50074|50158|53003|53000)\b/,
    microsoft:
      'O Microsoft Entra exige verificação em duas etapas (MFA) ou outra condição que o portal não pode cumprir por este usuário. Use um aplicativo (entidade de serviço) em Avançado, ou exclua o usuário mestre da política de acesso condicional.',
    local: 'O serviço local pediu uma verificação que não existe nele. Atualize o serviço de relatórios.',
  },
  {
    says: /AADSTS65001\b/,
    microsoft:
      'Falta consentimento para o aplicativo. No Microsoft Entra, abra Registros de aplicativo, o aplicativo, Permissões de API, e escolha Conceder consentimento do administrador para o Power BI Service.',
    local: 'O serviço local pediu um consentimento que não existe nele. Atualize o serviço de relatórios.',
  },
  {
    says: /AADSTS50053\b/,
    microsoft:
      'A conta do usuário mestre está bloqueada por muitas tentativas. Aguarde alguns minutos, ou peça ao administrador do Microsoft Entra que redefina a senha, e teste de novo.',
    local: 'A conta está bloqueada no serviço local. Aguarde alguns minutos e teste de novo.',
  },
  {
    says: /AADSTS50057\b/,
    microsoft:
      'A conta do usuário mestre está desabilitada. Peça ao administrador do Microsoft Entra que a habilite em Usuários, ou use outra conta.',
    local: 'A conta está desabilitada no serviço local. Use outra.',
  },
  {
    says: /AADSTS(50055|50144)\b/,
    microsoft:
      'A senha do usuário mestre expirou. Troque-a entrando com ele em app.powerbi.com e grave aqui a nova senha.',
    local: `A senha desta conexão expirou. ${localCredential}`,
  },
  {
    says: /AADSTS(7000218|7000112)\b/,
    microsoft:
      'O aplicativo não aceita este tipo de credencial. No Microsoft Entra, confira se ele está habilitado e, para usuário mestre, ligue Permitir fluxos de clientes públicos em Autenticação.',
    local: `O serviço local esperava outro tipo de credencial. ${localCredential}`,
  },
  {
    says: /AADSTS900144\b/,
    microsoft: 'Falta um dado da credencial. Informe em Avançado o Application ID do aplicativo registrado.',
    local: 'Falta um dado da credencial. Com usuário mestre, informe em Avançado o Application ID.',
  },
  {
    codigo: 'bi_credencial_recusada',
    says: /./,
    microsoft:
      'O Microsoft Entra recusou a credencial. Confira Tenant ID, Application ID, tipo de credencial e senha; o registro de entradas do Microsoft Entra diz o motivo.',
    local: `O serviço local recusou a credencial. ${localCredential}`,
  },
  {
    codigo: 'bi_credencial_recusada',
    microsoft:
      'A senha guardada não pode mais ser aberta, porque a chave do servidor mudou. Edite a conexão, digite a senha de novo e grave.',
    local:
      'A senha guardada não pode mais ser aberta, porque a chave do servidor mudou. Edite a conexão, digite a senha de novo e grave.',
  },
  {
    codigo: 'bi_sobrecarregado',
    microsoft:
      'O Power BI recebeu chamadas demais e pede para aguardar {espera}. Tente de novo depois disso.',
    local:
      'O serviço local recebeu chamadas demais e pede para aguardar {espera}. Tente de novo depois disso.',
  },
  {
    codigo: 'bi_sem_resposta',
    microsoft:
      '{origem} não respondeu em {tempo}. Confira a rede e o proxy do servidor e a página de estado do Power BI, e tente de novo.',
    local:
      'O serviço local de relatórios ({origem}) não respondeu em {tempo}. Veja se ele está sobrecarregado e tente de novo.',
  },
  {
    codigo: 'bi_indisponivel',
    says: /^no answer/,
    microsoft:
      'Não foi possível chegar a {origem}. Confira a saída do servidor para a internet (DNS, firewall, proxy) e as configurações POWERBI_AUTHORITY_URL e POWERBI_API_URL.',
    local:
      'O serviço local de relatórios não atende em {origem}. Inicie-o (REPORTS_ENABLED=true) e confira REPORTS_URL.',
  },
  {
    says: /shared or|purchase|not on .*capacity|no capacity|exceeded the amount of embed token/i,
    codigo: 'bi_indisponivel',
    microsoft:
      'O workspace não está em uma capacidade, ou os tokens de teste acabaram. No Power BI, abra as configurações do workspace, Tipo de licença, e escolha uma capacidade do Fabric, Premium ou Embedded.',
    local: 'O serviço local recusou por falta de capacidade. Atualize o serviço de relatórios.',
  },
  {
    codigo: 'bi_pausado',
    microsoft:
      'A capacidade do workspace está pausada ou inativa. No portal do Azure, abra a capacidade do Fabric ou do Power BI Embedded e escolha Retomar.',
    local: 'O serviço local está pausado. Inicie-o de novo.',
  },
  {
    codigo: 'bi_indisponivel',
    microsoft:
      'O Power BI está com problemas (HTTP {status}). Veja a página de estado do Power BI e tente de novo em alguns minutos.',
    local:
      'O serviço local de relatórios está com problemas (HTTP {status}). Ele pode estar carregando os dados: aguarde e, se persistir, veja os registros dele.',
  },
  {
    says: /shouldn.t have effective identity/i,
    microsoft:
      'O conjunto de dados não define segurança por linha, mas o relatório está cadastrado com papéis. Retire os papéis de segurança do cadastro do relatório.',
    local:
      'O conjunto de dados não define papéis, mas o relatório está cadastrado com papéis. Retire os papéis de segurança do cadastro do relatório.',
  },
  {
    says: /identity\W.*\brol(e|es)\b|\brol(e|es)\b.*identity|no role/i,
    codigo: 'bi_identidade_necessaria',
    microsoft:
      'Os papéis de segurança do relatório não são os do conjunto de dados. Confira os nomes no Power BI Desktop, em Modelagem, Gerenciar funções, e corrija o cadastro do relatório.',
    local:
      'Os papéis de segurança do relatório não são os do conjunto de dados. Confira os nomes no arquivo do conjunto e corrija o cadastro do relatório.',
  },
  {
    codigo: 'bi_identidade_necessaria',
    microsoft:
      'O conjunto de dados tem segurança por linha e exige uma identidade. Informe no cadastro do relatório os papéis de segurança definidos no Power BI Desktop, em Modelagem, Gerenciar funções.',
    local:
      'O conjunto de dados restringe linhas e exige uma identidade. Informe no cadastro do relatório os papéis de segurança que o arquivo do conjunto define.',
  },
  {
    codigo: 'bi_sem_acesso',
    asked: ['grupos'],
    credential: 'service_principal',
    microsoft:
      'O tenant não permite que este aplicativo use as APIs do Power BI. No portal de administração do Power BI, Configurações do locatário, Configurações do desenvolvedor, habilite entidades de serviço para as APIs do Fabric/Power BI, para um grupo de segurança que contenha o aplicativo; leva até 15 minutos para valer.',
    local: `O serviço local não deixa este aplicativo ver os grupos. ${localCredential}`,
  },
  {
    codigo: 'bi_sem_acesso',
    asked: ['grupos'],
    microsoft:
      'O usuário mestre não pode ver workspaces do Power BI. Dê a ele uma licença Pro e ao aplicativo, em Permissões de API, Workspace.Read.All e Report.Read.All com consentimento do administrador.',
    local: `O serviço local não deixa este usuário ver os grupos. ${localCredential}`,
  },
  {
    codigo: 'bi_sem_acesso',
    asked: ['token'],
    microsoft:
      'A conexão vê o relatório, mas não pode gerar o token dele. No Power BI, em Gerenciar acesso do workspace do relatório e do conjunto de dados, dê a ela o papel de Membro, e confira em Configurações do locatário se inserir conteúdo em aplicativos está habilitado.',
    local:
      'O serviço local não deixa esta conexão gerar tokens. Confira a credencial e as versões do portal e do serviço.',
  },
  {
    codigo: 'bi_sem_acesso',
    microsoft:
      'A conexão não participa deste workspace. No Power BI, abra o workspace, Gerenciar acesso, e adicione o aplicativo ou o usuário mestre como Membro.',
    local: 'O serviço local não deixa esta conexão ver este workspace. Confira a credencial.',
  },
  {
    codigo: 'bi_relatorio_inexistente',
    asked: ['grupos', 'grupo'],
    microsoft:
      'O Power BI não encontrou este workspace, ou a conexão não participa dele. Confira o id do grupo e, em Gerenciar acesso do workspace, adicione o aplicativo ou o usuário mestre como Membro.',
    local: 'O serviço local não tem este workspace. Confira a pasta workspaces do serviço de relatórios.',
  },
  {
    codigo: 'bi_relatorio_inexistente',
    microsoft:
      'O Power BI não encontrou o relatório ou o conjunto de dados dele. Veja se foi excluído ou movido para outro workspace e corrija o cadastro do relatório.',
    local:
      'O serviço local não tem este relatório. Confira os arquivos da pasta workspaces e corrija o cadastro do relatório.',
  },
  {
    says: /./,
    codigo: 'bi_resposta_invalida',
    microsoft:
      'O Power BI recusou a chamada de forma inesperada (HTTP {status}). Tente de novo; se persistir, confira as configurações POWERBI_AUTHORITY_URL e POWERBI_API_URL.',
    local:
      'O serviço local recusou a chamada de forma inesperada (HTTP {status}). Confira se REPORTS_URL aponta para o serviço de relatórios e se as versões são as mesmas.',
  },
  {
    codigo: 'bi_resposta_invalida',
    microsoft:
      'A resposta do Power BI não pôde ser lida. Veja se um proxy responde no lugar dele e confira as configurações POWERBI_AUTHORITY_URL e POWERBI_API_URL.',
    local:
      'A resposta do serviço local não pôde ser lida. Confira se REPORTS_URL aponta para o serviço de relatórios.',
  },
]
