// Check the API's documents with the AsyncAPI parser and ajv. Run: node documents.mjs FOLDER
// FOLDER has AUDIENCE.asyncapi.json, AUDIENCE.openapi.json, AUDIENCE.schema.json, and AUDIENCE.told.json: messages of a
// table as [[schema, value], ...].
// Prints one line of JSON for each audience. Exit code 1 if a document has a problem.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Parser } from "@asyncapi/parser";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const folder = process.argv[2];
const read = (name) => JSON.parse(readFileSync(join(folder, name), "utf-8"));

/** Parse a document with the AsyncAPI Initiative's parser. Return its remarks, and names that two models share. */
async function asyncapi(audience) {
  const { document, diagnostics } = await new Parser().parse(read(`${audience}.asyncapi.json`));
  const [advice, found] = [true, false].map((is) => diagnostics.filter((one) => (one.code === "asyncapi-latest-version") === is));
  const said = found.map((one) => `${one.code} at ${one.path.join("/")}: ${one.message}`);
  const messages = document?.components().messages().all() ?? [];
  const models = document?.components().schemas().all() ?? [];
  const names = [...new Set([...messages.map((one) => one.payload().id()), ...models.map((one) => one.id())])].map((name) => name.toLowerCase());
  const twice = names.filter((name, place) => names.indexOf(name) !== place || name.startsWith("<anonymous"));
  return { messages: messages.length, models: models.length, advice: advice.map((one) => one.message), problems: [...said, ...twice.map((name) => `two models named ${name}`)] };
}

/** Return an ajv validator in strict mode that throws on every warning. */
function strict() {
  const ajv = new Ajv2020({ strict: true, allErrors: true, logger: { log() {}, warn: (text) => { throw new Error(text); }, error: (text) => { throw new Error(text); } } });
  addFormats(ajv);
  return ajv;
}

/** Compile each schema alone, then validate all messages of AUDIENCE.told.json. */
function schemas(audience) {
  const bundle = read(`${audience}.schema.json`);
  const ajv = strict().addSchema(bundle);
  const problems = [];
  const compiled = {};
  for (const name of Object.keys(bundle.$defs)) {
    try {
      compiled[name] = ajv.compile({ $ref: `${bundle.$id}#/$defs/${name}` });
    } catch (error) {
      problems.push(`${name}: ${error.message}`);
    }
  }
  const told = read(`${audience}.told.json`);
  for (const [name, value] of told) {
    if (!compiled[name]?.(value)) problems.push(`${name}: ${JSON.stringify(compiled[name]?.errors?.[0])} in ${JSON.stringify(value)}`);
  }
  return { schemas: Object.keys(compiled).length, told: told.length, problems };
}

/** Compile the schemas of the OpenAPI document. OpenAPI adds the keyword `discriminator` to JSON Schema. */
function openapi(audience) {
  const document = read(`${audience}.openapi.json`);
  const ajv = strict().addVocabulary(["discriminator", "components"]);
  const names = Object.keys(document.components.schemas);
  ajv.addSchema({ $id: "urn:tablectl:openapi", components: document.components });
  const problems = names.flatMap((name) => {
    try {
      ajv.compile({ $ref: `urn:tablectl:openapi#/components/schemas/${name}` });
      return [];
    } catch (error) {
      return [`${name}: ${error.message}`];
    }
  });
  return { schemas: names.length, problems };
}

let wrong = false;
for (const file of readdirSync(folder).filter((name) => name.endsWith(".schema.json")).sort()) {
  const audience = file.split(".")[0];
  const said = { audience, asyncapi: await asyncapi(audience), "ajv strict": schemas(audience), openapi: openapi(audience) };
  wrong ||= ["asyncapi", "ajv strict", "openapi"].some((reader) => said[reader].problems.length > 0);
  console.log(JSON.stringify(said));
}
process.exitCode = wrong ? 1 : 0; // not process.exit(): a pipe takes 64 KiB, the rest of the output must still be written
