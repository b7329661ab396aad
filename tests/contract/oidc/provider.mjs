// A real OpenID provider for the contract tests, on a free port of this machine.
// Says "ready <address>" when it answers. Each line on stdin gives it new keys, told by "rotated"; it ends with stdin.
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import Provider from "oidc-provider";

const jwk = (type, options) => ({
  ...generateKeyPairSync(type, options).privateKey.export({ format: "jwk" }),
  kid: randomUUID(),
  use: "sig",
});

// The token endpoint has another host name than the issuer, as with some providers.
const moveTokenEndpoint = async (context, next) => {
  await next();
  if (!context.path.endsWith("/openid-configuration")) return;
  context.body.token_endpoint = context.body.token_endpoint.replace("127.0.0.1", "localhost");
};

const provider = (issuer) => {
  const server = new Provider(issuer, {
    clients: [
      {
        client_id: "page",
        application_type: "native",
        token_endpoint_auth_method: "none",
        redirect_uris: ["http://127.0.0.1/callback", "http://127.0.0.1/"],
      },
    ],
    jwks: { keys: [jwk("rsa", { modulusLength: 2048 }), jwk("ec", { namedCurve: "P-256" })] },
    cookies: { keys: [randomUUID()] },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    clientBasedCORS: () => true,
    scopes: ["openid", "profile", "offline_access", "chat"],
    // All users have the same name.
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, name: "Ada" }) }),
    claims: { openid: ["sub"], profile: ["name"] },
    conformIdTokenClaims: false,
    features: {
      registration: { enabled: true },
      resourceIndicators: {
        // The last part of a resource's address may name the algorithm of its tokens.
        getResourceServerInfo: (_, resource) => ({
          audience: resource,
          scope: "chat",
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: resource.endsWith("/ES256") ? "ES256" : "RS256" } },
        }),
      },
    },
  });
  server.use(moveTokenEndpoint);
  return server.callback();
};

let answer;
const server = createServer((request, response) => answer(request, response));
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  answer = provider(issuer);
  console.log(`ready ${issuer}`);
  createInterface({ input: process.stdin })
    .on("line", () => {
      answer = provider(issuer);
      console.log("rotated");
    })
    .on("close", () => process.exit());
});
