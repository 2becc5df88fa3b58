import type { Projects } from "../projects/projects";
import type { Auth } from "./auth";
import { createCallRoutes } from "./calls";

export interface ProjectRouteParts {
  projects: Projects;
}

/** The projects of an account. */
export const createProjectRoutes = ({ projects }: ProjectRouteParts, auth: Auth) =>
  createCallRoutes(auth, {
    projectList: (query, { accountId }) => projects.list(accountId, query),
    projectGet: ({ projectId }, { accountId }) => projects.get(accountId, projectId),
    projectPut: (request, { accountId, idempotencyKey }) => projects.put(accountId, request, idempotencyKey),
    projectRename: ({ projectId, title }, { accountId }) => projects.rename(accountId, projectId, title),
    projectDuplicate: (request, { accountId }) => projects.duplicate(accountId, request),
    projectDelete: ({ projectId }, { accountId }) => projects.remove(accountId, projectId),
    projectRestore: ({ projectId }, { accountId }) => projects.restore(accountId, projectId),
  });
